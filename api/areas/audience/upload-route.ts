import type { FastifyInstance, FastifyRequest } from 'fastify'
import '@fastify/multipart'
import type { CommandContext } from '#domain/kit/event-metadata'
import { IDENTIFIER_KINDS, type ColumnKind } from '#domain/audience/identifiers'
import { refusalOf, type Fault } from '#domain/kit/errors'
import { fault } from '#domain/kit/faults'
import { countAudiences } from '#projections/audience/queries'
import { AUDIENCE_BYTES, uploadAudience, type AudienceFile } from '#contract/audiences'
import { contextOf, type Caller } from '#api/http/caller'
import type { Place } from '#domain/kit/access'
import type { Served } from '#api/areas/services'
import { readParts } from '#api/http/multipart'
import { callerOf } from '#api/http/person'
import { register } from '#api/http/register'
import { accepted, Refused, refused } from '#commands/refused'
import { emptyFile, MOST_AUDIENCES, nameFaults, nameTaken, noMembers, tooLarge, tooManyAudiences, unreadable } from './faults.ts'
import { createFinishing } from '#commands/audience/finish-upload'
import { createPlaces } from './places.ts'
import { hasNumberingPlan } from '#commands/formats/phone/numbering'
import type { FileReading, ReadFile } from '#commands/audience/read-file'
import { ownersOf } from '#projections/account/people'

type Fields = Readonly<Record<'name' | 'user' | 'id' | 'column' | 'kind' | 'phones', string>>
const NO_FIELDS: Fields = { name: '', user: '', id: '', column: '', kind: '', phones: '' }
/** They say how the file is read, and must stand before it. */
const READING: ReadonlySet<string> = new Set(['column', 'kind', 'phones'])
/** Bytes of a body beside its file. */
const ROOM_FOR_FIELDS = 64 * 1024
const KINDS: readonly string[] = [...IDENTIFIER_KINDS, 'any']

/** An upload whose file was read into hashes. */
type Staged = {
  /** Null for a dry run, of which nothing is stored. */
  readonly id: string | null
  readonly target: Target
  readonly read: ReadFile
  readonly country: string | null
  readonly cut: boolean
}
/** Where an upload goes: a new audience, or another version of one. */
type Target = { readonly place: Place; readonly existing: { readonly id: string; readonly name: string } | null }

/**
 * Static audiences. The file is hashed while it arrives, so the text of its rows is never stored; a refused file leaves nothing. The
 * answer comes once all rows are here, and the version is made in the background.
 */
export function registerUploadRoute(
  app: FastifyInstance,
  kit: Served<'accounts' | 'audiences' | 'commands.audiences' | 'db' | 'files' | 'people' | 'store' | 'threads'>,
): void {
  const { audiences, db, derivedId, guards, newId, now, threads } = kit
  const { uploads } = audiences
  const places = createPlaces(kit)
  const finishing = createFinishing(kit)

  async function targetOf({ actor }: Caller, { id, user }: Fields): Promise<Target> {
    if (id === '') return { place: await places.ofUpload(actor, user), existing: null }
    const { state, place } = await places.audience(actor, 'audience.write', id)
    if (state.kind !== 'static') throw refused(2, [{ path: 'id', code: 2, message: 'A dynamic audience has rules and no file' }])
    return { place, existing: { id, name: state.name } }
  }

  /** The country of the account: that of its first owner. */
  async function countryOf(spaceId: string): Promise<string | null> {
    const [owner] = await ownersOf(db, spaceId)
    const person = owner === undefined ? null : await kit.people.find(owner.id)
    return person?.country ?? null
  }

  async function readingOf({ column, kind, phones }: Fields, spaceId: string): Promise<FileReading> {
    const named = /^[a-z]{2}$/i.test(phones) ? phones.toUpperCase() : null
    const faults: readonly Fault[] = [
      ...(kind === '' || isKind(kind) ? [] : [fault('kind', 2, 'notAllowed')]),
      ...(['', 'full', 'any'].includes(phones) || (named !== null && hasNumberingPlan(named))
        ? []
        : [fault('phones', 2, 'notAllowed')]),
    ]
    if (faults.length > 0) throw refused(2, faults)
    return {
      column: column === '' ? null : column,
      kind: isKind(kind) ? kind : null,
      country: named ?? (await countryOf(spaceId)),
      anyForm: phones === 'any' || named !== null,
    }
  }

  async function stage(
    caller: Caller,
    fields: Fields,
    file: AsyncIterable<Buffer> & { readonly truncated: boolean },
    isDryRun: boolean,
  ): Promise<Staged> {
    const target = await targetOf(caller, fields)
    const { spaceId, whitelabelId } = target.place
    const reading = await readingOf(fields, spaceId)
    const settings = { ...reading, key: await audiences.keys.keyOf(whitelabelId) }
    const { country } = reading
    if (isDryRun) {
      const read = await threads.readAudience(chunksOf(file), { ...settings, store: async () => {} })
      return { id: null, target, read, country, cut: file.truncated }
    }
    const id = newId()
    await uploads.begin(id, { audienceId: target.existing?.id ?? '', spaceId, whitelabelId }, now())
    try {
      let part = 0
      const read = await threads.readAudience(chunksOf(file), {
        ...settings,
        store: (page, soFar) => uploads.add(id, part++, page, soFar),
      })
      return { id, target, read, country, cut: file.truncated }
    } catch (error) {
      await uploads.discard(id)
      throw error
    }
  }

  const discard = async (id: string | null): Promise<void> => (id === null ? undefined : uploads.discard(id))

  /** Fields behind the file may still name the account, as long as its hashes have the same key. */
  async function retargeted(caller: Caller, staged: Staged, fields: Fields, late: ReadonlySet<string>): Promise<Staged> {
    try {
      const target = await targetOf(caller, fields)
      const wrong = [...late].filter(
        (name) => READING.has(name) || target.place.whitelabelId !== staged.target.place.whitelabelId,
      )
      if (wrong.length === 0) return { ...staged, target }
      throw refused(
        2,
        wrong.map((path) => ({ path, code: 2, message: 'This field must stand before the file' })),
      )
    } catch (error) {
      await discard(staged.id)
      throw error
    }
  }

  /** Refuses what was read: nothing of it stays. A dry run needs no name yet. */
  function check(staged: Staged, name: string): void {
    const { read, cut, target, id } = staged
    if (cut) throw tooLarge()
    const isNamed = name !== '' || (target.existing === null && id !== null)
    const faults: Fault[] = isNamed ? [...nameFaults(name)] : []
    if (read.bytes === 0) throw faults.length === 0 ? emptyFile() : refused(2, [...emptyFile().rejection.faults, ...faults])
    if (read.fault !== null) faults.push(unreadable(read.fault))
    const refusal = refusalOf(faults)
    if (refusal !== null) throw new Refused(refusal)
    if (read.rows === read.rejected || !read.qualified)
      throw new Refused({ code: 182, faults: [noMembers(read)] }, answerOf(staged))
  }

  async function accept(caller: Caller, id: string, { target, read }: Staged, name: string) {
    const { place, existing } = target
    const audienceId = existing?.id ?? derivedId('audience', caller.commandId)
    const context = contextOf(caller, place, 'audience.write')
    if (existing === null && (await countAudiences(db, place.spaceId)) >= MOST_AUDIENCES) throw tooManyAudiences()
    const isNamed = existing === null || (name !== '' && name !== existing.name)
    if (isNamed && !(await audiences.names.claim(place.spaceId, audienceId, name))) throw nameTaken()
    if (existing !== null && isNamed) await rename(audienceId, context, name)
    const { rows, rejected, reasons } = read
    await uploads.received(id, { audienceId, ...place, name: existing === null ? name : null, context, rows, rejected, reasons })
    const upload = await uploads.find(id)
    if (upload === null) throw new Error(`upload ${id} is not there`)
    const { version, position } = await finishing.start(upload)
    return { id: audienceId, status_key: 1 as const, version, position: String(position) }
  }

  async function rename(id: string, context: CommandContext, name: string): Promise<void> {
    const command = { type: 'Change', name, rules: null } as const
    const issued = { ...context, command_id: derivedId('rename', context.command_id) }
    accepted(await kit.commands.audiences.execute(id, issued, command))
  }

  register(app, guards, uploadAudience, async (call, reply) => {
    const caller = callerOf(call)
    const isDryRun = call.query.dry_run === true
    const { fields, staged: read, late } = await received(reply.request, (sent, file) => stage(caller, sent, file, isDryRun))
    const name = fields.name.normalize('NFC')
    const staged = late.size === 0 ? read : await retargeted(caller, read, fields, late)
    const { id } = staged
    try {
      check(staged, name)
      if (id === null) return answerOf(staged)
      // What is stored for repeats holds no text of the file.
      const stored = await call.once({ name, bytes: staged.read.sha256 }, () => accept(caller, id, staged, name))
      return { ...answerOf(staged), ...stored }
    } finally {
      // Refused, or a repeat that was answered before: what was accepted is no longer being received.
      await discard(id)
    }
  })
}

const isKind = (kind: string): kind is ColumnKind => KINDS.includes(kind)

/** What the file was read as. */
function answerOf({ read, country }: Staged): AudienceFile {
  const { column, as_likely, kind, device, rows, rejected, reasons, normalised, examples } = read
  return {
    column,
    as_likely: [...as_likely],
    kind,
    device,
    country,
    rows,
    rejected,
    reasons: { ...reasons },
    normalised: { ...normalised },
    examples: examples.map((example) => ({ ...example, changes: [...example.changes] })),
  }
}

type SentFile = AsyncIterable<Buffer> & { readonly truncated: boolean }

/**
 * Reads a multipart body: the file while it arrives, with the fields before it. A refusal waits for the end of the body, so that the
 * client reads it.
 */
async function received(request: FastifyRequest, stage: (fields: Fields, file: SentFile) => Promise<Staged>) {
  if (!request.isMultipart())
    throw refused(2, [{ path: 'file', code: 2, message: 'A multipart body with a name and a file is expected' }])
  const parts = request.parts({ limits: { fileSize: AUDIENCE_BYTES, files: 1, fields: 10, parts: 12 } })
  const fields: { -readonly [Key in keyof Fields]: string } = { ...NO_FIELDS }
  const isTooLarge = Number(request.headers['content-length'] ?? 0) > AUDIENCE_BYTES + ROOM_FOR_FIELDS
  let staged: Staged | null = null
  const late = new Set<keyof Fields>()
  let failed: { readonly error: unknown } | null = null
  for (;;) {
    const next = await readParts(() => parts.next())
    if (next.done === true) break
    const part = next.value
    if (part.type === 'file') {
      try {
        if (isTooLarge) throw tooLarge()
        staged = await stage({ ...fields }, part.file)
      } catch (error) {
        failed ??= { error }
        part.file.resume()
      }
    } else if (part.fieldname in fields && typeof part.value === 'string') {
      const name = part.fieldname as keyof Fields
      fields[name] = part.value.trim()
      if (name !== 'name' && staged !== null && fields[name] !== '') late.add(name)
    }
  }
  if (failed !== null) throw failed.error
  if (staged === null) throw refused(2, [{ path: 'file', code: 2, message: 'Field is required.', key: 'required' }])
  return { fields, staged, late }
}

/** Chunks of a file that arrives. A client that goes away is no error of the server. */
async function* chunksOf(file: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const chunks = file[Symbol.asyncIterator]()
  for (;;) {
    const next = await readParts(() => chunks.next())
    if (next.done === true) return
    yield next.value
  }
}
