import { readConfig, type Config } from '#api/config'

/** The configuration of these settings, with the demo also beside stand-ins of mail and Stripe: a real start refuses that. */
export function demoConfig(env: Readonly<Record<string, string | undefined>>): Config {
  if (env['PLACARD_DEMO'] === 'off') return readConfig(env)
  const config = readConfig({ PLACARD_EXCHANGE_REVIEW: 'instant', ...env, PLACARD_DEMO: 'off' })
  return { ...config, demo: true, demoDelivery: env['PLACARD_DEMO_DELIVERY'] !== 'off' }
}
