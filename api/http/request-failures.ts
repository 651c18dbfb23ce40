import type { FastifyRequest } from 'fastify'

/** Why a request is answered with 5xx. `isReported`: a service is away, which the log reports when it begins and when it ends. */
type Failure = { readonly name: string; readonly isReported: boolean }

const failures = new WeakMap<FastifyRequest, Failure>()

export const noteFailure = (request: FastifyRequest, failure: Failure): void => void failures.set(request, failure)
export const failureOf = (request: FastifyRequest): Failure | undefined => failures.get(request)
