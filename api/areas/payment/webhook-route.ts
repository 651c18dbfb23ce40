import type { FastifyInstance } from 'fastify'
import { stripeWebhook } from '#contract/payments'
import type { Served } from '#api/areas/services'
import { register } from '#api/http/register'
import { refused } from '#commands/refused'

type Deps = Served<'payments'>

/**
 * Events of the provider. The signature covers the bytes of the body, so it is not parsed here. The event is stored, and carried out by the
 * policies: the answer is fast, and the provider repeats an event only when it could not be stored.
 */
export function registerWebhook(app: FastifyInstance, kit: Deps): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    registerCall(scope, kit)
  })
}

function registerCall(scope: FastifyInstance, { guards, now, payments }: Deps): void {
  register(scope, guards, stripeWebhook, async (call, { request }) => {
    await guards.limitReads(`webhook ${call.network}`)
    const { body, headers } = request
    const signature = headers['stripe-signature']
    const event = Buffer.isBuffer(body) && typeof signature === 'string' ? payments.gateway.readEvent(body, signature) : null
    if (event === null)
      throw refused(2, [{ path: 'Stripe-Signature', code: 2, message: 'The signature is missing, wrong or too old' }])
    const { id, type, providerPaymentId } = event
    await payments.storage.webhooks.add({ id, type, providerPaymentId, at: now() })
    return { received: true }
  })
}
