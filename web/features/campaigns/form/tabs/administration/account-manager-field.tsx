import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { accountQueries } from '@/data/account-queries'
import { useCampaignForm, useFormBase } from '@/features/campaigns/form/campaign-form-context'
import { FormInput, FormSelect } from '@/features/campaigns/form/form-field'
import { useCan } from '@/session/can'
import { useMe } from '@/session/session-queries'

type StaffMember = { readonly id: string; readonly name: string }

const NAME = 'administration.accountManager'

/** Staff of the campaign's white-label; undefined for users who may not list them, and while they load. */
export function useCampaignStaff(): readonly StaffMember[] | undefined {
  const { campaign } = useFormBase()
  const lists = useCan()('account.manage')
  const { whitelabel_id: own } = useMe()
  const spaceId = campaign?.space_id
  const { data: space } = useQuery({ ...accountQueries.space(spaceId ?? ''), enabled: lists && spaceId !== undefined })
  const whitelabelId = spaceId === undefined ? own : space?.whitelabel_id
  return useQuery({ ...accountQueries.staff(whitelabelId ?? ''), enabled: lists && whitelabelId !== undefined }).data?.people
}

/** The person in charge of a campaign: chosen by name, or typed as an id by users who may not list the staff. */
export function AccountManagerField({ staff }: { readonly staff: readonly StaffMember[] | undefined }) {
  const { t } = useTranslation('administration')
  const chosen = useWatch({ control: useCampaignForm().control, name: NAME })
  if (staff === undefined)
    return <FormInput name={NAME} label={t('accountManager')} help={t('accountManagerHelp')} className="col-span-2" />
  return (
    <FormSelect name={NAME} label={t('accountManager')} className="col-span-2">
      <option value="">{t('accountManagerNone')}</option>
      {/* Calls may store any text, and people leave. */}
      {chosen !== '' && staff.every(({ id }) => id !== chosen) && <option value={chosen}>{chosen}</option>}
      {staff.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </FormSelect>
  )
}
