import { CHAT_ENDPOINTS } from '#contract/chat'
import type { Area } from '../area.ts'
import { registerChatRoutes } from './chat-routes.ts'

export const chat: Area = {
  name: 'chat',
  summary: 'Conversations of users with the staff of their white-label',
  endpoints: CHAT_ENDPOINTS,
  register: registerChatRoutes,
}
