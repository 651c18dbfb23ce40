/** The log of the stand-in, in memory: KurrentDB's rules for revisions, repeats and positions. */

export type Entry = {
  readonly stream: string
  readonly revision: number
  readonly commit: bigint
  readonly id: string
  readonly type: string
  readonly contentType: string
  readonly data: Buffer
  readonly metadata: Buffer
}
export type Draft = Pick<Entry, 'id' | 'type' | 'contentType' | 'data' | 'metadata'>
export type Expected = number | 'any' | 'no stream' | 'stream exists'
export type Appended = { readonly kind: 'ok'; readonly last: Entry } | { readonly kind: 'wrong'; readonly current: number | null }

/** Largest append, bytes: data, metadata, and types with two bytes a character. */
const MAX_APPEND = 1024 * 1024

export type Log = {
  readonly entries: readonly Entry[]
  readonly append: (stream: string, expected: Expected, drafts: readonly Draft[]) => Appended | { readonly kind: 'too big' }
  readonly stream: (name: string) => readonly Entry[]
  readonly onGrowth: (listen: () => void) => () => void
}

export function createLog(): Log {
  const entries: Entry[] = []
  const byStream = new Map<string, Entry[]>()
  const listeners = new Set<() => void>()
  let end = 0n

  function write(stream: string, drafts: readonly Draft[]): Entry {
    const own = byStream.get(stream) ?? []
    byStream.set(stream, own)
    for (const draft of drafts) {
      const entry = { ...draft, stream, revision: own.length, commit: end }
      // Positions are file offsets: far from dense.
      end += BigInt(draft.data.length + draft.metadata.length + 150)
      own.push(entry)
      entries.push(entry)
    }
    // Simulates the system events that a server writes between those of its users.
    if (entries.length % 7 === 0 && !stream.startsWith('$')) write('$stats-127.0.0.1', [system()])
    for (const listen of listeners) listen()
    const last = own.at(-1)
    if (last === undefined) throw new Error('nothing was appended')
    return last
  }

  function append(stream: string, expected: Expected, drafts: readonly Draft[]): Appended | { kind: 'too big' } {
    if (drafts.reduce((sum, { data, metadata, type }) => sum + data.length + metadata.length + 2 * type.length, 0) > MAX_APPEND)
      return { kind: 'too big' }
    const own = byStream.get(stream) ?? []
    const current = own.length - 1
    const at = expected === 'no stream' ? -1 : typeof expected === 'number' ? expected : null
    const matches = at === null ? expected === 'any' || current >= 0 : current === at
    if (!matches) {
      // The same ids at the same revision are the same append, and succeed again.
      const again = at === null ? [] : own.slice(at + 1, at + 1 + drafts.length)
      const last = again.at(-1)
      if (last !== undefined && again.length === drafts.length && again.every(({ id }, i) => id === drafts[i]?.id))
        return { kind: 'ok', last }
      return { kind: 'wrong', current: current < 0 ? null : current }
    }
    return { kind: 'ok', last: write(stream, drafts) }
  }

  write('$users', [system('$UserCreated')])
  return {
    entries,
    append,
    stream: (name) => byStream.get(name) ?? [],
    onGrowth: (listen) => {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
  }
}

let made = 0
function system(type = '$statsCollected'): Draft {
  made += 1
  const id = `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`
  return { id, type, contentType: 'application/json', data: Buffer.from('{"proc":1}'), metadata: Buffer.alloc(0) }
}
