import { endpoint, position } from './http.ts'
import { z } from './zod.ts'

const settings = z.object({
  own_approval: z
    .boolean()
    .check(z.describe('People may approve submissions that they made or submitted themselves; off by default')),
})

export const whitelabelInfo = endpoint({
  id: 'whitelabel.info',
  reads: [],
  method: 'GET',
  path: '/v1/whitelabel/info',
  access: 'public',
  summary: 'Name, colours and settings of the white-label of this host',
  output: z.object({
    id: z.string(),
    name: z.string(),
    timezone_offset_seconds: z.number(),
    file_id: z.nullable(z.string()),
    audio_ads: z.boolean(),
    whitelabel_settings: z.object({
      term_of_service_url: z.nullable(z.string()),
      company_logo: z.nullable(z.string()),
      primary_color: z.nullable(z.string()),
      secondary_color: z.nullable(z.string()),
      warning_color: z.nullable(z.string()),
      gauge_color: z.nullable(z.string()),
    }),
  }),
})

export const readSettings = endpoint({
  id: 'whitelabel.settings',
  method: 'GET',
  path: '/v1/whitelabel/settings',
  access: 'whitelabel.customise',
  summary: "Settings of the caller's white-label",
  output: settings,
  reads: [],
})

export const saveSettings = endpoint({
  id: 'whitelabel.saveSettings',
  reads: [],
  method: 'PUT',
  path: '/v1/whitelabel/settings',
  access: 'whitelabel.customise',
  summary: "Save the settings of the caller's white-label",
  body: 'json',
  input: settings,
  output: z.extend(settings, { position }),
  write: true,
})

export const WHITE_LABEL_ENDPOINTS = [whitelabelInfo, readSettings, saveSettings]
