import { useAdministrationLabels } from '../tabs/administration/use-administration-labels.ts'
import { useBiddingLabels } from '../tabs/bidding/use-bidding-labels.ts'
import { useSetupLabels } from '../tabs/setup/use-setup-labels.ts'
import { useTargetingLabels } from '../tabs/targeting/use-targeting-labels.ts'
import { useGeographyLabels } from '../tabs/geography/use-geography-labels.ts'
import { useResponsiveLabels } from '../tabs/responsive/use-responsive-labels.ts'
import { useNativeLabels } from '../tabs/native/use-native-labels.ts'
import { useVideoLabels } from '../tabs/video/use-video-labels.ts'
import { useTracksLabels } from '../tabs/tracks/use-tracks-labels.ts'
import { useFrequencyLabels } from '../tabs/frequency/use-frequency-labels.ts'
import { usePlacementLabels } from '../tabs/placement/use-placement-labels.ts'

/** Labels of the fields of every slice, for lists of what is wrong; '' is the slice's own. */
export const useSliceLabels = (): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  administration: useAdministrationLabels(),
  bidding: useBiddingLabels(),
  setup: useSetupLabels(),
  targeting: useTargetingLabels(),
  geography: useGeographyLabels(),
  responsive: useResponsiveLabels(),
  native: useNativeLabels(),
  video: useVideoLabels(),
  tracks: useTracksLabels(),
  frequency: useFrequencyLabels(),
  placement: usePlacementLabels(),
})
