import { spawn } from 'node:child_process'
import { nodeRuns, root } from './product-process.ts'

export type ToolOptions = {
  /** Written to its input. */
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a command-line tool of the product on the database at `url`. */
export function runTool(file: string, args: readonly string[], url: string, { input = '', env = {} }: ToolOptions = {}) {
  const child = spawn(process.execPath, [...nodeRuns(file), ...args], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: url, ...env },
    stdio: 'pipe',
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => (out += String(chunk)))
  child.stderr.on('data', (chunk: Buffer) => (err += String(chunk)))
  child.stdin.end(input)
  return new Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, out, err })),
  )
}
