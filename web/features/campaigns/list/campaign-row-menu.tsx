import { Ellipsis, type LucideIcon } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Offer } from '@/app/actions'
import { Button } from '@/components/ui/button'
import { usePopup } from '@/lib/use-popup'

const load = () => import('./campaign-row-menu-items.tsx')
const CampaignRowMenuItems = lazy(async () => ({ default: (await load()).CampaignRowMenuItems }))

export type FurtherItem = {
  readonly key: string
  readonly label: string
  readonly Icon: LucideIcon
  readonly run: () => void
}

export type RowMenuProps = {
  readonly name: string
  readonly offers: readonly Offer[]
  readonly onChoose: (offer: Offer) => void
  /** Further items of the page, below the actions. */
  readonly further?: readonly FurtherItem[]
}

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
