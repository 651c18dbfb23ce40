import { spawn, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Arguments with which Node runs this TypeScript file: as this run of the tests has compiled it, elsewhere from its source. */
export function nodeRuns(file: string): readonly string[] {
  const compiled = process.env['TEST_COMPILED']
  if (compiled === undefined) return ['--import', 'tsx', file]
  return [join(compiled, relative(root, resolve(root, file)).replace(/\.ts$/, '.js'))]
}

/**
 * The product as a separate process, with an embedded, durable database in `dataDir`. Resolves once it is ready; `base` is
 * empty for roles without an API.
 */
export async function startProductProcess(
  node: readonly string[],
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly base: string; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, node, {
    cwd: root,
    env: {
      ...process.env,
      PLACARD_DATA_DIR: dataDir,
      PORT: '0',
      DATABASE_URL: '',
      LOG_LEVEL: 'error',
      PLACARD_DEMO_DELIVERY: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const base = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += String(chunk)
      const found = /ready at ([^\s"]+)|is running/.exec(text)
      if (found !== null) resolve(found[1] ?? '')
    })
    child.once('exit', (code) => reject(new Error(`the product exited with ${code}: ${text}`)))
  })
  return { base, child }
}

/** The address of the database that a process has started in its folder. */
export async function databaseIn(data: string): Promise<string> {
  const [secret, pid] = await Promise.all(
    ['secret', 'data/postmaster.pid'].map((file) => readFile(join(data, 'postgres', file), 'utf8')),
  )
  return `postgres://placard:${secret}@127.0.0.1:${pid?.split('\n')[3]}/placard`
}
