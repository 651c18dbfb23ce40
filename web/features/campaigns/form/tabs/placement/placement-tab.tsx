import { useTranslation } from 'react-i18next'
import { AUDIENCE_LANGUAGES, DEVICE_TYPES, ENVIRONMENTS } from '#domain/campaign/content/options'
import { CheckGroup } from '@/components/form/check-group'
import { Segmented, segmentsOf } from '@/components/form/segmented'
import { ToggleRow } from '@/components/form/toggle-row'
import { FormInput } from '@/features/campaigns/form/form-field'
import { useSliceField } from '@/features/campaigns/form/slices/use-slice-field'
import { FormSection } from '../form-section.tsx'
import { GamesSection } from './games-section.tsx'
import { AppsList, CategoriesList } from './list-sections.tsx'
import { PlacesSection } from './places-section.tsx'
import { WhitelistsSection } from './whitelists-section.tsx'

export default function PlacementTab() {
  const { t } = useTranslation('placement')
  const { value: noNonGambling, set: setNoNonGambling, ...gambling } = useSliceField('placement.noNonGambling')
  return (
    <>
      <WhereSection />
      <AppsList />
      <CategoriesList />
      <GamesSection />
      <FormSection title={t('publishers')}>
        <ToggleRow
          className="col-span-2"
          label={t('noNonGambling')}
          help={t('noNonGamblingHelp')}
          checked={noNonGambling}
          {...gambling}
          onChange={setNoNonGambling}
        />
      </FormSection>
      <WhitelistsSection />
      <PlacesSection />
    </>
  )
}

function WhereSection() {
  const { t } = useTranslation('placement')
  const { set: setDevice, ...device } = useSliceField('placement.device')
  const { set: setEnvironment, ...environment } = useSliceField('placement.environment')
  const { set: setLanguages, ...languages } = useSliceField('placement.languages')
  return (
    <FormSection title={t('where')}>
      <Segmented
        label={t('device')}
        segments={segmentsOf(DEVICE_TYPES, (name) => t(`devices.${name}`))}
        {...device}
        onChange={setDevice}
      />
      <Segmented
        label={t('environment')}
        segments={(['all', ...ENVIRONMENTS] as const).map((value) => ({ value, label: t(`environments.${value}`) }))}
        {...environment}
        onChange={setEnvironment}
      />
      <FormInput name="placement.osVersion" label={t('osVersion')} help={t('osVersionHelp')} hint={t('optional')} />
      <CheckGroup
        label={t('languages')}
        help={t('emptyAll')}
        options={AUDIENCE_LANGUAGES.map((value) => ({ value, label: t(`language.${value}`) }))}
        {...languages}
        onChange={setLanguages}
      />
    </FormSection>
  )
}
