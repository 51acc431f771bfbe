function total(basket) {
  return basket.map((good) => good.price).reduce((sum, price) => sum + price, 0);
}
