import type { FastifyRequest } from 'fastify'

/** Whether a page sent this call by itself, while its user made no input: no use of the session (fine print 79). */
export const isUnattended = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => headers['x-placard-unattended'] === 'true'
