/**
 * Thrown where the answer would come from read models that are behind what it has to include, and were waited for: 503 with Retry-After
 * (running.md, The wire).
 */
export class ReadModelsBehind extends Error {
  constructor() {
    super('read models are behind')
    this.name = 'ReadModelsBehind'
  }
}
