import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { root } from './product-process.ts'

type Options = {
  /** Also imports of types alone. */
  readonly types?: boolean
}

/** Imports of a file, as its text says it. */
export function specifiersOf(file: string, { types = true }: Options = {}): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const read = types ? text : text.replace(/^import type [^;'"]*['"][^'"]+['"]/gm, '')
  return [...read.matchAll(/(?<!['"])\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map((match) => match[1] ?? '')
}

/** The path of an imported file, from the root of the repository; a package keeps its name. */
export function pathOf(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return relative(root, resolve(root, dirname(file), specifier))
  if (specifier.startsWith('#contract/')) return `api/${specifier.slice(1)}`
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('@/') ? `web/${specifier.slice(2)}` : `package ${specifier}`
}

export const importsOf = (file: string, options?: Options): string[] =>
  specifiersOf(file, options).map((specifier) => pathOf(file, specifier))
