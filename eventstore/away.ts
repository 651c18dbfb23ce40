/**
 * Something outside that a call needs does not answer: 503 with Retry-After. The work may have been done; everything that is sent
 * outside can be sent again.
 */
export class Away extends Error {
  constructor(name: string, options?: ErrorOptions) {
    super(`${name} is away`, options)
    this.name = 'Away'
  }
}
