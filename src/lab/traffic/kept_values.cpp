#include "lab/traffic/kept_values.h"

#include <algorithm>

namespace autoschedule_gpu {

using lowered::BufferId;

void KeptValues::begin_code() {
    unread_.clear();
    last_stores_.clear();
}

void KeptValues::enter_branch() {
    begin_code();
    scopes_.push_back({});
}

void KeptValues::leave_branch() {
    leave();
}

void KeptValues::enter_loop() {
    begin_code();
    scopes_.push_back({});
    scopes_.back().is_loop = true;
}

void KeptValues::next_iteration() {
    begin_code();
    forget_kept(scopes_.back());
}

void KeptValues::leave_loop() {
    const auto sites = std::move(scopes_.back().sites);
    leave();
    Scope &outer = scopes_.back();
    if (!outer.is_loop) return;
    for (const auto &[site, access] : sites) note(outer, site, access);
}

void KeptValues::forget(BufferId buffer) {
    kept_.erase(buffer.index());
    unread_.erase(buffer.index());
    last_stores_.erase(buffer.index());
    unfix([&](const Access &access) { return access.buffer == buffer; });
}

bool KeptValues::waits(BufferId buffer, const AddressKey &key) const {
    const auto stores = last_stores_.find(buffer.index());
    if (stores == last_stores_.end()) return false;
    return std::ranges::any_of(stores->second,
                               [&](const AddressKey &store) { return store.shape != key.shape; });
}

bool KeptValues::load(AccessSite site, BufferId buffer, const AddressKey &key) {
    const Access access{buffer, key, Kind::load};
    const auto keys = kept_.find(buffer.index());
    const bool kept = keys != kept_.end() && keys->second.contains(key);
    const bool accesses = !kept && !is_fixed(site, key);
    if (accesses && stored_.contains(buffer.index())) {
        // Stores to other addresses of the buffer must have reached memory by now.
        unfix([&](const Access &other) {
            return other.kind == Kind::store && other.buffer == buffer &&
                   other.key.shape != key.shape;
        });
    }
    if (accesses) {
        read(buffer, key);
        last_stores_.erase(buffer.index());
    }
    keep(access);
    if (scopes_.back().is_loop) note(scopes_.back(), site, access);
    return accesses;
}

bool KeptValues::store(AccessSite site, BufferId buffer, const AddressKey &key) {
    const Access access{buffer, key, Kind::store};
    const bool overwrites = !unread_[buffer.index()].insert(key).second;
    const bool accesses = !overwrites && !is_fixed(site, key);
    stored_.insert(buffer.index());
    last_stores_[buffer.index()].insert(key);
    std::erase_if(kept_[buffer.index()],
                  [&](const AddressKey &other) { return other.shape != key.shape; });
    unfix([&](const Access &other) {
        return other.buffer == buffer && other.key.shape != key.shape;
    });
    keep(access);
    if (scopes_.back().is_loop) note(scopes_.back(), site, access);
    return accesses;
}

void KeptValues::read(BufferId buffer, const AddressKey &key) {
    if (shared_.contains(buffer)) {
        for (const BufferId other : shared_) {
            if (other != buffer) unread_.erase(other.index());
        }
    }
    const auto own = unread_.find(buffer.index());
    if (own == unread_.end()) return;
    std::erase_if(own->second, [&](const AddressKey &other) {
        return other.shape != key.shape || other == key;
    });
}

// Searches from the innermost loop outwards. A branch on the way means that the access may not
// happen, so it is not moved any further out.
bool KeptValues::is_fixed(AccessSite site, const AddressKey &key) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend() && scope->is_loop; ++scope) {
        const auto last = scope->sites.find(site);
        if (last != scope->sites.end()) return last->second.fixed && last->second.key == key;
    }
    return false;
}

void KeptValues::keep(const Access &access) {
    if (kept_[access.buffer.index()].insert(access.key).second) {
        scopes_.back().kept.emplace_back(access.buffer.index(), access.key);
    }
}

void KeptValues::note(Scope &scope, AccessSite site, const Access &access) {
    const auto [it, added] = scope.sites.emplace(site, access);
    if (added) return;
    it->second.fixed = it->second.fixed && access.fixed && it->second.key == access.key;
}

void KeptValues::leave() {
    begin_code();
    forget_kept(scopes_.back());
    scopes_.pop_back();
}

void KeptValues::forget_kept(Scope &scope) {
    for (const auto &[buffer, key] : scope.kept) {
        const auto keys = kept_.find(buffer);
        if (keys != kept_.end()) keys->second.erase(key);
    }
    scope.kept.clear();
}

template <typename Condition>
void KeptValues::unfix(Condition condition) {
    for (Scope &scope : scopes_) {
        for (auto &[site, access] : scope.sites) {
            if (condition(access)) access.fixed = false;
        }
    }
}

}  // namespace autoschedule_gpu
