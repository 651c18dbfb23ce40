import type { Campaign, CampaignInput } from '#contract/campaign-body'
import type { CampaignType } from '#domain/campaign/content/options'
import type { z } from '#contract/zod'

/**
 * A part of the form with its own tab: its values, the mapping from and to the wire, and the mapping of server faults to fields.
 * Schema messages are translation keys, with optional parameters: `faults:maxBytes?max=25`.
 */
export type FormSlice<Values> = {
  readonly schema: z.ZodMiniType<Values, Values>
  /** Its fields that hold the value of one wire path. */
  readonly paths: ReadonlyMap<string, string>
  readonly empty: (type: CampaignType) => Values
  readonly fromCampaign: (campaign: Campaign) => Values
  /** Returns top-level keys of a save. An omitted key keeps the stored value; unchanged values are sent back as stored. */
  readonly toInput: (values: Values, campaign: Campaign | null) => Partial<CampaignInput>
  /** Returns the field of a wire path within the slice, '' for the slice as a whole, null when it is elsewhere. */
  readonly fieldOf: (path: string, values: Values) => string | null
}
