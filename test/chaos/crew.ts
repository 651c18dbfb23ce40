import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Child, startChild } from '../support/child.ts'
import { parseEntries } from './history.ts'

const ROLES = { writer: 2, subscriber: 2, projector: 2 } as const
export type Role = keyof typeof ROLES

const files: Readonly<Record<Role, URL>> = {
  writer: new URL('writer-process.ts', import.meta.url),
  subscriber: new URL('subscriber-process.ts', import.meta.url),
  projector: new URL('projector-process.ts', import.meta.url),
}

/** One process slot. A killed process is replaced by another life in the same slot. */
export type Member = {
  readonly name: string
  readonly role: Role
  /** Kills it with SIGKILL and starts another life; resolves when that is ready. */
  readonly replace: () => Promise<void>
  readonly order: (line: string) => void
  /** Whether it has printed this line since the last expected one. */
  readonly said: (line: string) => boolean
  /** Waits for this line; throws when the process ends or does not print it in time. */
  readonly says: (line: string, milliseconds: number) => Promise<void>
  readonly resume: () => void
  readonly finish: () => Promise<void>
}

export type Crew = {
  readonly of: (role: Role) => readonly Member[]
  /** Processes that ended without a kill or an order. */
  readonly deaths: () => readonly string[]
  readonly killAll: () => Promise<void>
}

/** Starts the processes under test; their histories go into `folder`. */
export async function startCrew(url: string, folder: string, seed: number): Promise<Crew> {
  const deaths: string[] = []
  const members: Member[] = []
  const kills: (() => Promise<void>)[] = []
  const places = (Object.keys(ROLES) as Role[]).flatMap((role) =>
    Array.from({ length: ROLES[role] }, (_, index) => ({ role, name: `${role}-${index + 1}` })),
  )
  await Promise.all(
    places.map(async ({ role, name }, place) => {
      let lives = 0
      let expected = false
      let seen = 0
      let child: Child
      const historyOf = (life: number): string => path.join(folder, `${name}.${life}.ndjson`)

      const live = async (): Promise<void> => {
        lives += 1
        expected = false
        seen = 0
        const process = `${name}.${lives}`
        const common = [url, process, historyOf(lives)]
        const args: Readonly<Record<Role, () => readonly string[]>> = {
          writer: () => [...common, String(seed * 1000 + place * 100 + lives)],
          subscriber: () => [...common, name, String(lives === 1 ? 0 : checkpointIn(historyOf(lives - 1)))],
          projector: () => [url],
        }
        const born = startChild(files[role], args[role]())
        child = born
        born.process.on('exit', (code, signal) => {
          if (child === born && !expected) deaths.push(`${process} ended by itself (${signal ?? `exit code ${code}`})`)
        })
        await says('ready', 30_000)
      }

      const said = (line: string): boolean => {
        const found = child.lines.indexOf(line, seen)
        if (found !== -1) seen = found + 1
        return found !== -1
      }

      const says = async (line: string, milliseconds: number): Promise<void> => {
        for (const deadline = Date.now() + milliseconds; !said(line); await delay(5)) {
          if (child.process.exitCode !== null || child.process.signalCode !== null) throw new Error(`${name} has ended`)
          if (Date.now() > deadline) {
            const last = child.lines.at(-1) ?? 'nothing'
            throw new Error(`${name}.${lives} did not say "${line}" within ${milliseconds} ms; the last it said was: ${last}`)
          }
        }
      }

      await live()
      kills.push(async () => {
        expected = true
        await child.kill()
      })
      members.push({
        name,
        role,
        replace: async () => {
          expected = true
          await child.kill()
          await live()
        },
        said,
        order: (line) => void child.process.stdin?.write(`${line}\n`),
        says,
        resume: () => void child.process.kill('SIGCONT'),
        finish: async () => {
          expected = true
          await child.finish()
        },
      })
    }),
  )
  // They became ready in any order; sort them so that a seed is reproducible.
  members.sort((a, b) => (a.name < b.name ? -1 : 1))
  return {
    of: (role) => members.filter((member) => member.role === role),
    deaths: () => deaths,
    killAll: async () => void (await Promise.all(kills.map((each) => each()))),
  }
}

/** Returns the last checkpoint of the life with this history. */
function checkpointIn(file: string): number {
  const entries = parseEntries(readFileSync(file, 'utf8'))
  const last = entries.findLast(({ kind }) => kind === 'checkpoint' || kind === 'follow')
  if (last?.kind === 'checkpoint') return last.position
  return last?.kind === 'follow' ? last.after : 0
}
