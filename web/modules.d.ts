declare module 'virtual:colours.css'
declare module 'virtual:parts.css'
declare module 'virtual:heat.css'
