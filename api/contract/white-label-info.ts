import { among, endpoint, named } from './http.ts'
import { wireLocale } from './sets.ts'
import { z } from './zod.ts'

/** The settings that every visitor sees. */
export const shownSettings = z.object({
  term_of_service_url: z.nullable(z.string()),
  help_url: z.nullable(z.string()),
  /** Path of the logo; null without one. */
  company_logo: z.nullable(z.string()),
  primary_color: z.nullable(z.string()),
  secondary_color: z.nullable(z.string()),
  warning_color: z.nullable(z.string()),
  gauge_color: z.nullable(z.string()),
  /** en_US or ru_RU. */
  default_locale: wireLocale,
})

export const branding = {
  id: z.string(),
  name: z.string(),
  time_zone: z.nullable(z.string()).check(z.describe('IANA time zone of the white-label; null for a fixed offset')),
  timezone_offset_seconds: z.number().check(z.describe('Offset of the time zone now, seconds east of UTC')),
  file_id: z.nullable(z.string()),
} as const

export const whitelabelInfo = endpoint({
  id: 'whitelabel.info',
  reads: [],
  method: 'GET',
  path: '/v1/whitelabel/info',
  access: 'public',
  summary: 'Name, colours and settings of the white-label of this host, and the environment that the host names',
  output: named(
    'WhiteLabelInfo',
    z.object({
      ...branding,
      audio_ads: z.boolean(),
      // Optional: during a rolling upgrade the application may read the answer of the previous release.
      documentation: z.optional(z.boolean()).check(z.describe('Whether the documentation site is at /help/docs/')),
      environment: among(z.string(), ['production', 'test', 'dev', 'local']),
      whitelabel_settings: shownSettings,
    }),
  ),
})
export type WhitelabelInfo = z.infer<typeof whitelabelInfo.output>
