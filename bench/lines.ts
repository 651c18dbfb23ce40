import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const SOURCE = /\.(ts|tsx|css|sql|mjs)$/
/** Proof, generated files and vendored components. */
const NOT_PRODUCT = /spec\.tsx?$|^test\/|^web\/test\/|^migrations\/db\.ts$|routeTree\.gen|^web\/components\/ui\//

/** Lines of the product, in all and by room. */
export function lines(): Record<string, number> {
  const figures: Record<string, number> = { all: 0 }
  for (const file of execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n')) {
    if (!SOURCE.test(file) || NOT_PRODUCT.test(file)) continue
    const [room = ''] = file.split('/')
    const count = readFileSync(file, 'utf8').split('\n').length - 1
    for (const name of ['all', room]) figures[name] = (figures[name] ?? 0) + count
  }
  return figures
}
