import { readConfig, type Config } from '#api/config'

/** A service token for tests; give it to the product as PLACARD_SERVICE_TOKEN. */
export const SERVICE = 'a-service-token-for-tests-of-32-characters'

/** Settings of a product whose campaigns can be delivered: creatives are approved at once, and charges are settled at once. */
export const DELIVERED = { PLACARD_SERVICE_TOKEN: SERVICE, PLACARD_EXCHANGE_REVIEW: 'instant', PLACARD_SETTLE_SECONDS: '0' }

/** The configuration of these settings, with the demo also beside stand-ins of mail and Stripe: a real start refuses that. */
export function demoConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const direct = { PLACARD_TRUST_PROXY: 'none', ...env }
  if (env['PLACARD_DEMO'] === 'off') return readConfig(direct)
  const config = readConfig({ PLACARD_EXCHANGE_REVIEW: 'instant', ...direct, PLACARD_DEMO: 'off' })
  return { ...config, demo: true, demoDelivery: env['PLACARD_DEMO_DELIVERY'] !== 'off' }
}
