import { useTranslation } from 'react-i18next'
import { AUDIENCE_LANGUAGES, CONNECTION_TYPES, CUSTOMER_ATTRIBUTES, GENDERS, REGIONS } from '#domain/campaign/content/options'
import { CheckGroup } from '@/components/form/check-group'
import { Segmented, segmentsOf } from '@/components/form/segmented'
import { useFormValue } from '@/features/campaigns/form/campaign-form-context'
import { FormInput } from '@/features/campaigns/form/form-field'
import { useSliceField } from '@/features/campaigns/form/slices/use-slice-field'
import { FormSection } from '../form-section.tsx'
import { AGE } from './targeting-slice.ts'

/** Demographic targeting. */
export function PeopleSection() {
  const { t } = useTranslation('targeting')
  const { set: setGender, ...gender } = useSliceField('targeting.gender')
  const { set: setLanguages, ...languages } = useSliceField('targeting.languages')
  const { set: setConnections, ...connections } = useSliceField('targeting.connections')
  const nigeria = useFormValue('country') === 'NG'
  const age = { type: 'number', inputMode: 'numeric', min: AGE.min, max: AGE.max, step: 1 } as const
  return (
    <FormSection title={t('people')}>
      <Segmented
        label={t('gender')}
        segments={segmentsOf(GENDERS, (name) => t(`genders.${name}`))}
        {...gender}
        onChange={setGender}
      />
      <fieldset className="grid max-w-72 grid-cols-2 items-start gap-x-5">
        <legend className="sr-only">{t('age')}</legend>
        <FormInput name="targeting.fromAge" label={t('fromAge')} {...age} />
        <FormInput name="targeting.toAge" label={t('toAge')} {...age} />
      </fieldset>
      <CheckGroup
        label={t('languages')}
        help={t('emptyAll')}
        options={AUDIENCE_LANGUAGES.map((value) => ({ value, label: t(`language.${value}`) }))}
        {...languages}
        onChange={setLanguages}
      />
      <CheckGroup
        label={t('connections')}
        help={t('emptyAll')}
        options={CONNECTION_TYPES.map((value) => ({ value, label: t(`connection.${value}`) }))}
        {...connections}
        onChange={setConnections}
      />
      {nigeria && <NigeriaFields />}
    </FormSection>
  )
}

/** Shown for Nigeria only (decisions G-112). Stored values of other countries are kept. */
function NigeriaFields() {
  const { t } = useTranslation('targeting')
  const { set: setRegions, ...regions } = useSliceField('targeting.regions')
  const { set: setAttributes, ...attributes } = useSliceField('targeting.attributes')
  return (
    <>
      <CheckGroup
        label={t('regions')}
        help={t('emptyAll')}
        options={REGIONS.map((value) => ({ value, label: t(`region.${value}`) }))}
        {...regions}
        onChange={setRegions}
      />
      <CheckGroup
        label={t('attributes')}
        help={t('emptyAll')}
        options={CUSTOMER_ATTRIBUTES.map((value) => ({ value, label: t(`attribute.${value}`) }))}
        {...attributes}
        onChange={setAttributes}
      />
    </>
  )
}
