import type { LucideIcon } from 'lucide-react'
import type { Offer } from '@/app/actions'
import { useTranslation } from 'react-i18next'
import { MenuPanel } from '@/components/menu-panel'
import { DropdownMenuItem, DropdownMenuSeparator } from '@/components/ui/dropdown-menu'
import { cn } from '@/lib/utils'
import type { Popup } from '@/lib/use-popup'

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
  /** What else the page offers, below the actions. */
  readonly further?: readonly FurtherItem[]
}

/**
 * The actions of a campaign. A refused action is greyed but not disabled: choosing it shows the reason, which is also its
 * description.
 */
export function CampaignRowMenuItems({ name, offers, onChoose, further = [], popup }: RowMenuProps & { readonly popup: Popup }) {
  const { t } = useTranslation(['campaigns', 'status'])
  return (
    // Clicks in a portal bubble through React to the row, which would open the campaign.
    <MenuPanel popup={popup} label={t('campaigns:menu', { name })} align="end" onClick={(event) => event.stopPropagation()}>
      {offers.map((offer) => {
        const { entry, refusal } = offer
        return (
          <DropdownMenuItem
            key={entry.id}
            data-refused={refusal ?? undefined}
            aria-description={refusal === null ? undefined : t(`status:refusal.${refusal}`)}
            className={cn(refusal !== null && 'text-muted-foreground')}
            onSelect={() => onChoose(offer)}
          >
            <entry.Icon aria-hidden />
            {t(`campaigns:actions.${entry.name}`)}
          </DropdownMenuItem>
        )
      })}
      {offers.length > 0 && further.length > 0 && <DropdownMenuSeparator />}
      {further.map(({ key, label, Icon, run }) => (
        <DropdownMenuItem key={key} onSelect={run}>
          <Icon aria-hidden />
          {label}
        </DropdownMenuItem>
      ))}
    </MenuPanel>
  )
}
