import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { LogProgress } from '#commands/audit/verify-log'

/** Something that is not as the log says: one sentence, and what it is about. */
export type Fault = {
  readonly check: string
  readonly message: string
  readonly [about: string]: string | number | readonly string[]
}

type Kept = {
  readonly version: 1
  readonly position: string
  readonly events: number
  readonly done: readonly string[]
  readonly faults: readonly Fault[]
}

export type VerifyState = Awaited<ReturnType<typeof openState>>

/** Faults that are kept for the next call. */
const MOST_FAULTS = 10_000
/** How often the position is kept, milliseconds. */
const KEEP_MS = 2000

/** How far a verification has come, in a file when there is one. Throws for a file of another form. */
export async function openState(file: string | undefined, from: bigint) {
  const kept = file === undefined ? null : await readKept(file)
  const faults: Fault[] = [...(kept?.faults ?? [])]
  const done = new Set<string>(kept?.done ?? [])
  let progress: LogProgress = { position: kept === null ? from : BigInt(kept.position), events: kept?.events ?? 0 }
  let count = faults.length
  let saved = Date.now()

  async function save(): Promise<void> {
    if (file === undefined) return
    const value: Kept = { version: 1, position: String(progress.position), events: progress.events, done: [...done], faults }
    // Whole or not at all: the process may be killed while it writes.
    await writeFile(`${file}.new`, JSON.stringify(value))
    await rename(`${file}.new`, file)
  }

  return {
    at: (): LogProgress => progress,
    faults: (): readonly Fault[] => [...faults],
    faultCount: (): number => count,
    isDone: (check: string): boolean => done.has(check),
    async goOn(next: LogProgress): Promise<void> {
      progress = next
      if (Date.now() - saved < KEEP_MS) return
      saved = Date.now()
      await save()
    },
    async found(fault: Fault): Promise<void> {
      count += 1
      if (faults.length < MOST_FAULTS) faults.push(fault)
    },
    async done(check: string): Promise<void> {
      done.add(check)
      await save()
    },
    async remove(): Promise<void> {
      if (file !== undefined) await rm(file, { force: true })
    },
  }
}

async function readKept(file: string): Promise<Kept | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const kept: Kept = JSON.parse(text)
  if (kept.version !== 1) throw new Error(`${file} is not the state of a verification`)
  return kept
}
