import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { nodeRuns } from './product-process.ts'

export type Child = {
  readonly process: ChildProcess
  /** The next line of output; rejects when the process ends before. */
  nextLine(): Promise<string>
  /** All lines so far. */
  readonly lines: readonly string[]
  /** Closes its input and waits for its end. */
  finish(): Promise<void>
  /** Kills it with SIGKILL and waits for its end. */
  kill(): Promise<void>
}

/** Runs a TypeScript file of test/ as a separate process. */
export function startChild(file: URL, args: readonly string[], options: Pick<SpawnOptions, 'uid' | 'gid' | 'env'> = {}): Child {
  const child = spawn(process.execPath, [...nodeRuns(fileURLToPath(file)), ...args], {
    ...options,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const lines: string[] = []
  let read = 0
  let wake = (): void => {}
  let open = true
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => {
    lines.push(line)
    wake()
  })
  reader.on('close', () => {
    open = false
    wake()
  })
  const nextLine = async (): Promise<string> => {
    for (;;) {
      const line = lines[read]
      if (line !== undefined) {
        read += 1
        return line
      }
      if (!open) throw new Error(`${file.pathname} ended`)
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  const finish = async (): Promise<void> => {
    child.stdin.end()
    await ended
  }
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  return { process: child, nextLine, lines, finish, kill }
}
