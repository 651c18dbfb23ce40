import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that share a product follow each other, so that a worker starts each once; those with one of their own come last. */
export class ByProduct extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const groups = new Map(
      sorted.map((file) => [file, ORDER.findIndex((call) => readFileSync(file.moduleId, 'utf8').includes(call))]),
    )
    return sorted.toSorted((a, b) => (groups.get(b) ?? -1) - (groups.get(a) ?? -1))
  }
}
/** From the last to the first. */
const ORDER = ["sharedProduct('external')", 'sharedProduct()']
