import { clickAddress } from '#domain/campaign/content/banner-clicks'
import { useFormBase, useFormValue } from './campaign-form-context.ts'
import { clickUrlOf } from './form-mapping.ts'

/** The address that a click on an ad will open, as the form stands; null while there is none. */
export function useClickAddress(): string | null {
  const { campaign } = useFormBase()
  const product = useFormValue('productUrl').trim() || null
  const { app_promotion } = campaign?.bidding_strategy ?? { app_promotion: { click_url: null } }
  return clickAddress({ product_url: product, bidding_strategy: { click_url: clickUrlOf(campaign, product), app_promotion } })
}
