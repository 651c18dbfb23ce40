import { sql, type RawBuilder } from 'kysely'

/** Searches by a part of a name: whatever the case and the accents, composed or not, with `е` for `ё` (decisions G-037). */

/** Definition of the generated column `search_name` of a read model. */
export const SEARCH_NAME = 'text generated always as (app.folded(normalize(name))) stored'

/** Text as a literal part of a LIKE pattern. */
export const literal = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

/** True when the name holds the text. `name` is a `search_name`. */
export const holdsText = (name: RawBuilder<unknown>, text: string): RawBuilder<unknown> =>
  sql`${name} like '%' || app.folded(${literal(text.normalize('NFC'))}) || '%'`
