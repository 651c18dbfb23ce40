import { offsetAt } from '#domain/kit/time-zone'
import { zoneOf, type WhiteLabel } from '#domain/white-label/white-label'
import type { Environment } from '#domain/white-label/hosts'
import type { WhitelabelInfo } from '#contract/white-label-info'
import type { Config } from '#api/config'
import { logoPath } from './white-labels.ts'

/** The settings of the installation that its pages need. */
type Installation = Pick<Config, 'audioAds' | 'documentation'>

/** Public facts about the white-label of a host: the answer of the call, and a part of the page. */
export const infoOf = (
  label: WhiteLabel,
  { environment, config, now }: { readonly environment: Environment; readonly config: Installation; readonly now: string },
): WhitelabelInfo => ({
  ...brandingOf(label, now),
  audio_ads: config.audioAds,
  documentation: config.documentation !== null,
  environment,
  whitelabel_settings: shownSettingsOf(label),
})

export const brandingOf = (label: WhiteLabel, now: string) => ({
  id: label.id,
  name: label.name,
  time_zone: label.time_zone,
  timezone_offset_seconds: offsetAt(zoneOf(label), now),
  file_id: label.logo_file_id,
})

export const shownSettingsOf = (label: WhiteLabel) => ({
  term_of_service_url: label.term_of_service_url,
  help_url: label.help_url,
  company_logo: logoPath(label),
  primary_color: label.primary_color,
  secondary_color: label.secondary_color,
  warning_color: label.warning_color,
  gauge_color: label.gauge_color,
  default_locale: label.default_locale,
})
