import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The URL of another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

/** The template of products with a demo, beside the empty one, and the folder of a run's files: the demo's and each product's. */
export const demoTemplateOf = (template: string) => ({
  template: `${template}_demo`,
  files: join(tmpdir(), `${template}_files`),
})
