import { useTranslation } from 'react-i18next'
import { useFormBase, useFormValue } from '@/features/campaigns/form/campaign-form-context'
import { CreativeHead } from '@/features/campaigns/form/creatives/creative-switch'
import { CreativeName, CreativeText } from '@/features/campaigns/form/creatives/creative-text'
import { ResponsiveAdPreview } from '@/features/campaigns/creatives/ad-previews'
import { ServingDecision } from '@/features/campaigns/creatives/serving-decision'
import { Split } from '@/features/campaigns/form/creatives/split'
import { FormSection } from '../form-section.tsx'
import { ColorField } from './color-field.tsx'
import { ResponsiveMedia } from './responsive-media.tsx'
import { RESPONSIVE_LIMITS, responsiveSlice } from './responsive-slice.ts'
import { TextRows } from './text-rows.tsx'

const UNTOUCHED = responsiveSlice.empty('awareness')

export default function ResponsiveTab() {
  const { t } = useTranslation('creatives')
  const { campaign } = useFormBase()
  return (
    <>
      <CreativeHead
        slice="responsive"
        untouched={UNTOUCHED}
        title={t('responsive.title')}
        lead={t('responsive.lead')}
        decision={<ServingDecision decision={campaign?.dynamic_ad?.creativeServingDecision} />}
      />
      <Split preview={<Preview />}>
        <FormSection title={t('responsive.texts')}>
          <CreativeName name="responsive.creativeName" label={t('creativeName')} help={t('creativeNameHelp')} />
          <TextRows
            list="titles"
            max={RESPONSIVE_LIMITS.title}
            labelOf={(number) => t('responsive.titleNumber', { number })}
            add={t('responsive.addTitle')}
          />
          <TextRows
            list="descriptions"
            max={RESPONSIVE_LIMITS.description}
            labelOf={(number) => t('responsive.descriptionNumber', { number })}
            add={t('responsive.addDescription')}
          />
          <CreativeText name="responsive.companyName" label={t('responsive.companyName')} max={RESPONSIVE_LIMITS.companyName} />
          <CreativeText
            name="responsive.callToAction"
            label={t('callToAction')}
            max={RESPONSIVE_LIMITS.callToAction}
            className="col-span-1"
          />
          <ColorField />
        </FormSection>
        <ResponsiveMedia />
      </Split>
    </>
  )
}

/** A separate component, so that keystrokes re-render only the preview. */
function Preview() {
  return <ResponsiveAdPreview ad={useFormValue('responsive')} />
}
