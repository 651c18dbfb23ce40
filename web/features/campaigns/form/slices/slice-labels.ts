import { administrationLabels } from '../tabs/administration/administration-labels.ts'
import { biddingLabels } from '../tabs/bidding/bidding-labels.ts'
import { setupLabels } from '../tabs/setup/setup-labels.ts'
import { targetingLabels } from '../tabs/targeting/targeting-labels.ts'
import { geographyLabels } from '../tabs/geography/geography-labels.ts'
import { responsiveLabels } from '../tabs/responsive/responsive-labels.ts'
import { nativeLabels } from '../tabs/native/native-labels.ts'
import { videoLabels } from '../tabs/video/video-labels.ts'
import { tracksLabels } from '../tabs/tracks/tracks-labels.ts'
import { frequencyLabels } from '../tabs/frequency/frequency-labels.ts'
import { placementLabels } from '../tabs/placement/placement-labels.ts'

/** Field labels of every slice, for error lists; '' is the slice's own label. */
export const SLICE_LABELS: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
  administration: administrationLabels,
  bidding: biddingLabels,
  setup: setupLabels,
  targeting: targetingLabels,
  geography: geographyLabels,
  responsive: responsiveLabels,
  native: nativeLabels,
  video: videoLabels,
  tracks: tracksLabels,
  frequency: frequencyLabels,
  placement: placementLabels,
}
