import { useTranslation } from 'react-i18next'
import { ToggleRow } from '@/components/form/toggle-row'
import { FormMoney } from '@/features/campaigns/form/form-field'
import { useSliceField } from '@/features/campaigns/form/slices/use-slice-field'

/** The advertiser's own cost per result, which replaces the platform's. */
export function BidField() {
  const { t } = useTranslation('form')
  const { value: manual, set, ref, disabled } = useSliceField('setup.manual')
  return (
    <>
      <ToggleRow
        label={t('setup.manual')}
        help={t('setup.manualHelp')}
        checked={manual}
        disabled={disabled}
        ref={ref}
        onChange={set}
        className="col-span-2"
      />
      {manual && <FormMoney name="setup.bid" label={t('setup.bid')} help={t('setup.bidHelp')} />}
    </>
  )
}
