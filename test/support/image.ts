import { cp, mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './product-process.ts'

/** The paths that the last stage of the Dockerfile takes from the build. */
async function copied(): Promise<readonly string[]> {
  const text = await readFile(join(root, 'deploy/Dockerfile'), 'utf8')
  const [, last = ''] = text.split(/^FROM .*$/m).slice(1)
  return [...last.matchAll(/^COPY --from=build (.+) \S+$/gm)].flatMap(([, from = '']) => from.split(' '))
}

/** Installs what the image has of the build into a folder. Libraries are read where they are. */
export async function installImage(app: string): Promise<void> {
  await mkdir(app)
  for (const path of await copied()) {
    const [from, to] = [join(root, path.replace('/app/', '')), join(app, path.replace('/app/', ''))]
    await (path.endsWith('node_modules') ? symlink(from, to) : cp(from, to, { recursive: true }))
  }
}
