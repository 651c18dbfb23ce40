import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Figures } from './measure.ts'

/** Figures of a bench, which is named with its options; with machine and date. */
export type Result = { readonly bench: string; readonly figures: Figures; readonly machine: string; readonly date: string }

const FOLDER = fileURLToPath(new URL('../results', import.meta.url))

export function saveResult(bench: string, figures: Figures): void {
  const [{ model } = { model: 'unknown processor' }] = cpus()
  const machine = `${cpus().length} × ${model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`
  const result: Result = { bench, figures, machine, date: new Date().toISOString().slice(0, 10) }
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, `${bench.replaceAll(/[^a-z\d]+/g, '-')}.json`), `${JSON.stringify(result, null, 2)}\n`)
}

/** Saved results by bench. */
export const savedResults = (): ReadonlyMap<string, Result> =>
  new Map(
    readdirSync(FOLDER)
      .filter((file) => file.endsWith('.json'))
      .map((file): Result => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')))
      .sort((one, other) => (one.bench < other.bench ? -1 : 1))
      .map((result) => [result.bench, result]),
  )
