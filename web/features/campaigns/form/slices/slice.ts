import type { Campaign, CampaignInput } from '../../../../../api/contract/campaign-body.ts'
import type { CampaignType } from '../../../../../domain/campaign/content/options.ts'
import type { z } from '../../../../../api/contract/zod.ts'

/**
 * A part of the form with a tab of its own: what it holds, how that comes from the wire and goes back, and where the server's faults belong.
 * Messages of the schema are translation keys, with parameters where the text has any: `faults:maxBytes?max=25`.
 */
export type FormSlice<Values> = {
  readonly schema: z.ZodMiniType<Values, Values>
  readonly empty: (type: CampaignType) => Values
  readonly fromCampaign: (campaign: Campaign) => Values
  /** Top-level keys of a save; a key that is left out keeps what is stored. What was not touched goes back as it came. */
  readonly toInput: (values: Values, campaign: Campaign | null) => Partial<CampaignInput>
  /** The field within the slice that a wire path is about, '' for the slice as a whole, null when it is somewhere else. */
  readonly fieldOf: (path: string, values: Values) => string | null
}
