import { useTranslation } from 'react-i18next'
import { useCampaignForm, useFormBase } from '../../campaign-form-context.ts'
import { CreativeHead } from '../../creatives/creative-switch.tsx'
import { CreativeName, CreativeText } from '../../creatives/creative-text.tsx'
import { PhoneFrame } from '../../creatives/preview-frame.tsx'
import { ResponsivePreview } from '../../creatives/preview-responsive.tsx'
import { ServingDecision } from '../../creatives/serving-decision.tsx'
import { Split } from '../../creatives/split.tsx'
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

function Preview() {
  const { t } = useTranslation('creatives')
  const { titles, descriptions, callToAction, color, companyName, images, logos } = useCampaignForm().watch('responsive')
  const firstOf = (rows: typeof titles) => rows.find(({ value }) => value.trim() !== '')?.value ?? ''
  return (
    <PhoneFrame>
      <ResponsivePreview
        title={firstOf(titles)}
        description={firstOf(descriptions)}
        callToAction={callToAction}
        color={color}
        company={companyName}
        image={images[0]?.url ?? null}
        logo={logos[0]?.url ?? null}
        sponsored={t('sponsored')}
      />
    </PhoneFrame>
  )
}
