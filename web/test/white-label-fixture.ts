import type { WhiteLabelOut } from '#contract/white-label'
import { DEFAULT_INVOICING } from '#domain/white-label/invoicing'
import { INFO } from './fake-server.ts'

export const WHITE_LABEL: WhiteLabelOut = {
  id: 'dsp',
  name: 'Placard',
  time_zone: 'UTC',
  timezone_offset_seconds: 0,
  file_id: null,
  suspended: false,
  house_space_id: 'house-dsp',
  invoicing: DEFAULT_INVOICING,
  whitelabel_settings: {
    ...INFO.whitelabel_settings,
    own_approval: false,
    second_factor_required: false,
    staff_idle_minutes: null,
    staff_networks: [],
    payment_approval_limit: null,
    second_person_for_roles: false,
    invoice_automatically: false,
    api_key_days: null,
    api_keys_exchange_only: false,
    switch_reason_required: false,
    reject_reasons: [],
    review_checklist: [],
    second_look_share: 5,
    banned_words: [],
  },
}
