import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import { ClickLinks } from './click-links.tsx'
import { CreativesReview } from './creatives-review.tsx'
import { FurtherContentSection } from './further-content-section.tsx'

/** Subject of a review: where clicks lead, the ads, and the other settings. */
export function ReviewedContent({ campaign }: { readonly campaign: Campaign }) {
  const { t } = useTranslation(['moderation', 'creatives'])
  return (
    <>
      <section aria-label={t('moderation:links')}>
        <h3 className="mb-2 font-semibold">{t('moderation:links')}</h3>
        <ClickLinks campaign={campaign} />
      </section>
      <section aria-label={t('creatives:title')}>
        <h3 className="mb-2 font-semibold">{t('creatives:title')}</h3>
        <CreativesReview campaign={campaign} />
      </section>
      <section aria-label={t('moderation:content')}>
        <h3 className="mb-2 font-semibold">{t('moderation:content')}</h3>
        <FurtherContentSection campaign={campaign} />
      </section>
    </>
  )
}
