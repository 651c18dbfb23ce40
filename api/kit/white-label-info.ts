import type { WhiteLabel } from '../../domain/white-label/white-label.ts'
import type { Environment } from '../../domain/white-label/hosts.ts'
import type { WhitelabelInfo } from '../contract/white-label.ts'
import { logoPath } from './white-labels.ts'

/** What everyone may know about the white-label of a host: the answer of the call, and a part of the page. */
export const infoOf = (
  label: WhiteLabel,
  { environment, audioAds }: { readonly environment: Environment; readonly audioAds: boolean },
): WhitelabelInfo => ({
  id: label.id,
  name: label.name,
  timezone_offset_seconds: label.timezone_offset_seconds,
  file_id: label.logo_file_id,
  audio_ads: audioAds,
  environment,
  whitelabel_settings: {
    term_of_service_url: label.term_of_service_url,
    help_url: label.help_url,
    company_logo: logoPath(label),
    primary_color: label.primary_color,
    secondary_color: label.secondary_color,
    warning_color: label.warning_color,
    gauge_color: label.gauge_color,
    default_locale: label.default_locale,
  },
})
