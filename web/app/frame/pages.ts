import { Building2, Megaphone, ShieldCheck } from 'lucide-react'

/** The pages that the sidebar and the palette lead to, and who may enter them. */
export const PAGES = [
  { to: '/campaigns', name: 'campaigns', action: 'campaign.read', Icon: Megaphone },
  { to: '/admin/campaigns', name: 'allAccounts', action: 'campaign.admin-list', Icon: Building2 },
  { to: '/moderation', name: 'moderation', action: 'campaign.moderate', Icon: ShieldCheck },
] as const
