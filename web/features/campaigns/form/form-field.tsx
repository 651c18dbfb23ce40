import { DateField } from '@/components/form/date-field'
import { CheckField, MoneyField, SelectField, TextField } from '@/components/form/fields'
import type { CampaignField } from './form-schema.ts'

/** The fields of the form kit, narrowed to the paths of the campaign form. */
export const FormInput = TextField<CampaignField>
export const FormDate = DateField<CampaignField>
export const FormMoney = MoneyField<CampaignField>
export const FormSelect = SelectField<CampaignField>
export const FormCheck = CheckField<CampaignField>
