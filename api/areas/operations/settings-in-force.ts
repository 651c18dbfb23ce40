import type { Config, SettingName } from '#api/config'

type Value = string | number | boolean | null | readonly string[]
type Setting =
  | { readonly isSecret: false; readonly of: (config: Config) => Value }
  /** Its value, which may hold a password or a key, is never answered; `of` says whether it is set. */
  | { readonly isSecret: true; readonly of: (config: Config) => boolean }

const shown = (of: (config: Config) => Value): Setting => ({ isSecret: false, of })
const secret = (of: (config: Config) => boolean): Setting => ({ isSecret: true, of })

/** Every setting: the compiler names one that is missing. */
const SETTINGS: Readonly<Record<SettingName, Setting>> = {
  PORT: shown(({ port }) => port),
  HOST: shown(({ host }) => host),
  PLACARD_DATA_DIR: shown(({ dataDir }) => dataDir),
  DATABASE_URL: secret(({ databaseUrl }) => databaseUrl !== null),
  PLACARD_PG_ARCHIVE: shown(({ archive }) => archive),
  EVENT_STORE_URL: secret(({ eventStoreUrl }) => eventStoreUrl !== null),
  FACTS_URL: secret(({ factsUrl }) => factsUrl !== null),
  PLACARD_POOL_CALLS: shown(({ pools }) => pools.work.calls ?? null),
  PLACARD_POOL_REPORTS: shown(({ pools }) => pools.work.reports ?? null),
  PLACARD_POOL_PROJECTOR: shown(({ pools }) => pools.projector),
  PLACARD_POOL_POLICIES: shown(({ pools }) => pools.work.policies ?? null),
  PLACARD_ROLE: shown(({ role }) => role),
  PLACARD_DEMO: shown(({ demo }) => demo),
  PLACARD_DEMO_DELIVERY: shown(({ demoDelivery }) => demoDelivery),
  PLACARD_UNSAFE_DATABASE: shown(({ unsafeDatabase }) => unsafeDatabase),
  PLACARD_CLOCK_OFFSET: shown(({ clockOffset }) => clockOffset),
  PLACARD_AUDIO_ADS: shown(({ audioAds }) => audioAds),
  PLACARD_CHECK_ADDRESSES: shown(({ addressChecks }) => addressChecks),
  PLACARD_DOCUMENTATION: shown(({ documentation }) => documentation),
  PLACARD_EXCHANGE_REVIEW: shown(({ exchangeReview }) => exchangeReview),
  PLACARD_SETTLE_SECONDS: shown(({ settleEveryMs }) => settleEveryMs / 1000),
  PLACARD_CHARGE_DAYS: shown(({ kept }) => kept.chargeDays),
  PLACARD_BATCH_DAYS: shown(({ kept }) => kept.batchDays),
  PLACARD_FACT_MONTHS: shown(({ kept }) => kept.factMonths),
  PLACARD_REJECTED_ROW_DAYS: shown(({ kept }) => kept.rejectedRowDays),
  PLACARD_SECURITY_EVENT_DAYS: shown(({ kept }) => kept.securityEventDays),
  PLACARD_SERVICE_TOKEN: secret(({ serviceToken }) => serviceToken !== null),
  PLACARD_SIGNING_KEY: secret(({ signingKeys }) => signingKeys.length > 0),
  PLACARD_DATA_KEY: secret(({ dataKeys }) => dataKeys.length > 0),
  PLACARD_TRUST_PROXY: shown(({ trustProxy }) => trustProxy),
  PLACARD_PUBLIC_URL: shown(({ publicOrigin }) => publicOrigin),
  PLACARD_CONTENT_ORIGIN: shown(({ contentOrigin }) => contentOrigin),
  FILE_STORE_URL: secret(({ fileStore }) => fileStore.kind === 's3'),
  PLACARD_LOG_ORIGIN: shown(({ transparency }) => transparency.origin),
  PLACARD_LOG_KEY: secret(({ transparency }) => transparency.keys.length > 0),
  // Their names: an address may hold a token.
  PLACARD_WITNESS_URLS: shown(({ transparency }) => transparency.witnesses.map(({ key }) => key.name)),
  PLACARD_WEBHOOK_PRIVATE: shown(({ webhookPrivate }) => webhookPrivate),
  PLACARD_SIGN_ON_PRIVATE: shown(({ signOnPrivate }) => signOnPrivate),
  SMTP_URL: secret(({ mail }) => mail.kind === 'smtp'),
  STRIPE_SECRET_KEY: secret(({ stripe }) => stripe !== null),
  STRIPE_WEBHOOK_SECRET: secret(({ stripe }) => stripe !== null),
  STRIPE_PUBLISHABLE_KEY: secret(({ stripe }) => (stripe?.publishableKey ?? null) !== null),
  STRIPE_API_URL: shown(({ stripe }) => stripe?.apiUrl ?? null),
  // Collectors may want their key in the address.
  OTEL_EXPORTER_OTLP_ENDPOINT: secret(({ otlp }) => otlp !== null),
  OTEL_EXPORTER_OTLP_HEADERS: secret(({ otlp }) => Object.keys(otlp?.headers ?? {}).length > 0),
  OTEL_SERVICE_NAME: shown(({ otlp }) => otlp?.serviceName ?? null),
  OTEL_TRACES_SAMPLER: shown(({ otlp }) => otlp?.sampling.sampler ?? null),
  OTEL_TRACES_SAMPLER_ARG: shown(({ otlp }) => otlp?.sampling.ratio ?? null),
  OTEL_METRIC_EXPORT_INTERVAL: shown(({ otlp }) => otlp?.metricsEveryMs ?? null),
  PLACARD_SYSLOG_URL: secret(({ securityReceiver }) => securityReceiver !== null),
  PLACARD_REQUEST_LOG: shown(({ requestLog }) => requestLog?.share ?? 'off'),
  PLACARD_SLOW_MS: shown(({ requestLog }) => requestLog?.slowMs ?? null),
  LOG_LEVEL: shown(({ logLevel }) => logLevel),
}

export type SettingInForce = {
  readonly name: string
  /** Null for one that is not set and has no default, and for every secret. */
  readonly value: string | null
  readonly is_secret: boolean
  readonly is_set: boolean
}

/** The settings with which this process runs, defaults included. */
export const settingsInForce = (config: Config): readonly SettingInForce[] =>
  Object.entries(SETTINGS).map(([name, setting]) => {
    if (setting.isSecret) return { name, value: null, is_secret: true, is_set: setting.of(config) }
    const value = setting.of(config)
    const isSet = value !== null && !(Array.isArray(value) && value.length === 0)
    return { name, value: isSet ? String(value) : null, is_secret: false, is_set: isSet }
  })
