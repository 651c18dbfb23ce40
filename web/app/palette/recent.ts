import { z } from '#contract/zod'

/** Recent choices in the palette, newest first: commands by id, campaigns with their name as well. */
const recent = z.object({ id: z.string(), label: z.string() })
export type Recent = z.infer<typeof recent>

const MOST = 5
const keyOf = (person: string) => `DSP_RECENT ${person}`

export function readRecent(person: string): readonly Recent[] {
  try {
    const read = z.array(recent).safeParse(JSON.parse(localStorage.getItem(keyOf(person)) ?? '[]'))
    return read.success ? read.data.slice(0, MOST) : []
  } catch {
    return []
  }
}

export function noteRecent(person: string, { id, label }: Recent) {
  const others = readRecent(person).filter((known) => known.id !== id)
  localStorage.setItem(keyOf(person), JSON.stringify([{ id, label }, ...others].slice(0, MOST)))
}
