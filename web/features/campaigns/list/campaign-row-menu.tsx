import { Ellipsis } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { usePopup } from '@/lib/use-popup'
import type { RowMenuProps } from './campaign-row-menu-items.tsx'

const load = () => import('./campaign-row-menu-items.tsx')
const CampaignRowMenuItems = lazy(async () => ({ default: (await load()).CampaignRowMenuItems }))

export function CampaignRowMenu(props: RowMenuProps) {
  const { t } = useTranslation('campaigns')
  const { shown, trigger, popup } = usePopup('menu', load)
  return (
    <span className="relative inline-flex">
      <Button data-focus="menu" variant="ghost" size="icon" aria-label={t('menu', { name: props.name })} {...trigger}>
        <Ellipsis aria-hidden />
      </Button>
      {shown && (
        <Suspense>
          <CampaignRowMenuItems {...props} popup={popup} />
        </Suspense>
      )}
    </span>
  )
}
