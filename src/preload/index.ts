// Hands the owner API to the renderer, once there is one.
export {};
