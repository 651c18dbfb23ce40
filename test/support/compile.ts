import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { transformWithOxc } from 'vite'
import { root } from './product-process.ts'

/**
 * Compiles the server and what tests run in processes of their own, for this run of the tests: loading the sources would take
 * longer than what most of these processes do. Takes half a second. Child processes find it by TEST_COMPILED.
 */
export async function compileForTests(): Promise<() => void> {
  // The same depth as dist/server, from where the server looks for its package and the application.
  const home = mkdtempSync(join(tmpdir(), 'placard-compiled-'))
  // Some tests run a process as another user.
  chmodSync(home, 0o755)
  const output = join(home, 'dist/server')
  for (const folder of [...SERVER_ROOMS, 'test/support', 'test/chaos']) await compileFolder(folder, output)
  for (const shared of ['node_modules', 'package.json']) symlinkSync(join(root, shared), join(home, shared))
  const { imports }: { imports: Record<string, string> } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const compiled = Object.entries(imports).map(([name, path]) => [name, jsOf(path)])
  writeFileSync(join(output, 'package.json'), JSON.stringify({ type: 'module', imports: Object.fromEntries(compiled) }))
  process.env['TEST_COMPILED'] = output
  return () => {
    delete process.env['TEST_COMPILED']
    rmSync(home, { recursive: true, force: true })
  }
}

const { include: SERVER_ROOMS }: { readonly include: readonly string[] } = JSON.parse(
  readFileSync(join(root, 'tsconfig.build.json'), 'utf8'),
)

const jsOf = (file: string): string => file.replace(/\.ts$/, '.js')

async function compileFolder(folder: string, output: string): Promise<void> {
  for (const entry of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
    if (!entry.endsWith('.ts') || entry.endsWith('.spec.ts')) continue
    const file = join(folder, entry)
    const { code } = await transformWithOxc(readFileSync(join(root, file), 'utf8'), file, {
      target: 'es2023',
      sourcemap: false,
      typescript: { rewriteImportExtensions: 'rewrite' },
    })
    const target = join(output, jsOf(file))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, code)
  }
}
