import { CHAT_ENDPOINTS } from '#contract/chat'
import { createConversations } from '#platform/chat/conversations'
import type { Area } from '../area.ts'
import { registerChatRoutes } from './chat-routes.ts'

export const chat: Area = {
  name: 'chat',
  summary: 'Conversations of users with the staff of their white-label',
  endpoints: CHAT_ENDPOINTS,
  register: (app, kit) => registerChatRoutes(app, kit, createConversations(kit)),
}
