/**
 * Thrown when the read models have not reached the required position before the timeout: 503 with Retry-After
 * (running.md, The wire).
 */
export class ReadModelsBehind extends Error {
  constructor() {
    super('read models are behind')
    this.name = 'ReadModelsBehind'
  }
}
