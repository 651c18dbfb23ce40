import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

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
      const found = /ready at (\S+)|is running/.exec(text)
      if (found !== null) resolve(found[1] ?? '')
    })
    child.once('exit', (code) => reject(new Error(`the product exited with ${code}: ${text}`)))
  })
  return { base, child }
}
